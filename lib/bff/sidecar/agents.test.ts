/** The agents that a file names. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigurationError } from "../configuration/env.ts";
import { readAgents } from "./agents.ts";

const environment = { APP_ORIGIN: "https://shop.example", KEY_EN: "ck_english", KEY_DE: "ck_german" };
const english = { CHAT_CHANNEL_KEY: "dep_english", CHAT_KEY: "env:KEY_EN" };

function agentsIn(content: unknown) {
  const folder = mkdtempSync(join(tmpdir(), "shop-chat-agents-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "agents.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return readAgents({ ...environment, CHAT_AGENTS: file });
}

function problemsOf(content: unknown): string {
  try {
    agentsIn(content);
    return "";
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message;
  }
}

test("is one agent at the default path without a file", () => {
  expect(readAgents(environment)).toEqual([{ basePath: "/api/chat", environment }]);
});

test("gives each agent its own variables and the environment's others", () => {
  const german = { CHAT_CHANNEL_KEY: "dep_german", CHAT_KEY: "env:KEY_DE", MAX_CHATS_PER_DAY: "9" };
  const agents = agentsIn({ "/api/chat": english, "/de/api/chat": german });
  expect(agents.map(({ basePath }) => basePath)).toEqual(["/api/chat", "/de/api/chat"]);
  expect(agents[0]?.environment).toMatchObject({ ...environment, ...english, CHAT_KEY: "ck_english" });
  expect(agents[1]?.environment).toMatchObject({ ...environment, ...german, CHAT_KEY: "ck_german" });
});

test("names what is wrong with the file, and repeats no secret", () => {
  const chat = "/api/chat";
  const cases: [content: unknown, problem: string][] = [
    ["{", "must be JSON"],
    [[english], "must be JSON"],
    [{ [chat]: { ...english, MAX_STREAMS: 5 } }, "must be JSON"],
    [{}, "names no agent"],
    [{ [chat]: { CHAT_CHANNEL_KEY: "dep_english" } }, `${chat}, CHAT_KEY: is missing`],
    [{ [chat]: { ...english, CHAT_KEY: "ck_english" } }, `${chat}, CHAT_KEY: is secret`],
    [{ [chat]: { ...english, CUSTOMER_JWT_SECRET: "ck_english" } }, "CUSTOMER_JWT_SECRET: is secret"],
    [{ [chat]: { ...english, CHAT_KEY: "env:NOT_SET" } }, "the variable NOT_SET, which is not set"],
    [{ [chat]: { ...english, PORT: "80" } }, `${chat}, PORT: must be one of`],
    [{ "api/chat/": english }, "must be a path"],
    [{ [chat]: english, [`${chat}/de`]: english }, `${chat}/de: lies below ${chat}`],
  ];
  for (const [content, problem] of cases) {
    expect(problemsOf(content), JSON.stringify(content)).toContain(problem);
    expect(problemsOf(content)).not.toContain("ck_english");
  }
  const missing = { CHAT_AGENTS: "/nowhere/agents.json" };
  expect(() => readAgents(missing)).toThrow("names /nowhere/agents.json, which cannot be read");
});
