/** The tables of docs/troubleshooting.md, from what the chat server and the doctor print. */
import {
  ConfigurationError,
  configurationWarnings,
  type Environment,
  type Problem,
  readConfig,
} from "#lib/bff/configuration/env.ts";
import { customerOfEnvironment } from "#lib/bff/sidecar/customer-settings.ts";
import { connectionRemedies, operatorRemedies } from "#lib/bff/upstream/operator-errors.ts";
import { problems } from "../../scripts/doctor-checks.ts";
import { code, table } from "./markdown.ts";

/** Environments that have, together, every problem of a variable. */
const wrong: readonly Environment[] = [
  {},
  {
    PORT: "abc",
    CHAT_BASE_URL: "api.example",
    CHAT_CHANNEL_KEY: "ck_0123456789",
    CHAT_KEY: "dep_demo_shop",
    SESSION_SECRET: "short",
    REDIS_URL: "localhost",
    TRUST_PROXY_HOPS: "one",
    MAX_STREAMS: "0",
    MAX_CHATS_PER_DAY: "0",
    IMAGE_HOSTS: "https://user@cdn.example",
    LOG_LEVEL: "loud",
    METRICS_TOKEN: "short",
    CSP_REPORT_URL: "reports",
    OTEL_EXPORTER_OTLP_ENDPOINT: "collector",
  },
  {
    APP_ORIGIN: "shop.example",
    CHAT_BASE_URL: "https://api.example?x",
    CHAT_CHANNEL_KEY: "DEP",
    CHAT_KEY: "sk",
  },
  { APP_ORIGIN: "https://shop.example/path", CHAT_BASE_URL: "http://api.example" },
  { APP_ORIGIN: "http://shop.example", CHAT_BASE_URL: "https://api.example/v1", CHAT_KEY: '"ck_0123456789"' },
];

/** The same for the program beside a shop in another language. */
const wrongCustomers: readonly Environment[] = [
  { CUSTOMER_URL: "shop.example", CUSTOMER_COOKIE: "customer" },
  { CUSTOMER_JWT_SECRET: "short" },
  {
    CUSTOMER_JWT_SECRET: "s".repeat(32),
    SESSION_SECRET: "s".repeat(32),
    CUSTOMER_COOKIE: "a b",
    CUSTOMER_HEADER: "a b",
    CUSTOMER_URL: "https://shop.example",
  },
  { CUSTOMER_JWKS_URL: "http://id.example" },
];

/** Environments that work and have, together, every warning. */
const doubtful: readonly Environment[] = ["https://shop.example", "http://localhost:3000"].map(
  (APP_ORIGIN) => ({
    APP_ORIGIN,
    CHAT_BASE_URL: "https://api.example",
    CHAT_CHANNEL_KEY: "dep_demo_shop",
    CHAT_KEY: "ck_0123456789",
    SESSION_SECRET: "s".repeat(32),
  }),
);

function problemsOf(read: () => readonly Problem[]) {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

function configurationTable(): string {
  const ofServer = [...wrong, ...doubtful].map((each) => () => configurationWarnings(readConfig(each)));
  const ofCustomers = wrongCustomers.map((each) => () => {
    customerOfEnvironment(each, () => undefined);
    return [];
  });
  const found = [...ofServer, ...ofCustomers]
    .flatMap(problemsOf)
    .map(({ variable, remedy }) => [code(variable), remedy]);
  const lines = [...new Set(found.map((cells) => cells.join(" | ")))].sort();
  return table(
    ["variable", "what the log and the doctor say"],
    lines.map((line) => line.split(" | ")),
  );
}

const rows = (remedies: Readonly<Record<string, string>>) =>
  Object.entries(remedies).map(([name, remedy]) => [code(name), remedy]);

export const troubleshootingTables = {
  configuration: configurationTable,
  doctor: () =>
    table(
      ["the doctor says", "what to do"],
      Object.values(problems).map(({ fails, remedy }) => [fails, remedy]),
    ),
  operator: () => table(["`code` in the log", "what to do"], rows(operatorRemedies)),
  connection: () => table(["error", "cause and remedy"], rows(connectionRemedies)),
};
