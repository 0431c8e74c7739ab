/** `shop-chat-channel verify`: the tests against any Chat API. */
import { parseArgs } from "node:util";
import { reportOf, sentenceOf, textOf } from "./report.ts";
import { type Target, withLab } from "./support/target.ts";
import { mostChats, verify } from "./verify.ts";

const usageOf = (
  chats: number,
) => `shop-chat-channel verify: tests a Chat API against the rules of its specification

  --url URL          the Chat API, such as https://chat.example.com/v1/channels/dep_…      (CHAT_BASE_URL)
  --channel dep_…    the channel's address, if the URL does not have it                (CHAT_CHANNEL_KEY)
  --key ck_…         the chat key; better in the environment, where others do not see it       (CHAT_KEY)
  --team-key tk_…    the lab of this project's channel, which the tests reset          (CHANNEL_TEAM_KEY, on
                     this machine or with --exact)
  --exact            it is this project's channel: also test what the specification leaves open
  --only TEXT        only tests whose title has this text
  --yes              test an address that is not on this machine: creates up to ${chats} chats
  --json             the report as JSON

Ends with 1 if a rule is broken, and with 2 if nothing could be tested. Tests are skipped, with the reason,
that need what the channel lacks: the lab, or an agent that knows the words of the sandbox agent (it is asked
for "help").
`;

const options = {
  url: { type: "string" },
  channel: { type: "string" },
  key: { type: "string" },
  "team-key": { type: "string" },
  exact: { type: "boolean" },
  only: { type: "string" },
  yes: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

/** @throws Error that says what is missing */
function targetOf(values: Values, env: NodeJS.ProcessEnv): Target {
  const given = URL.parse(values.url ?? env["CHAT_BASE_URL"] ?? "");
  // `localhost:2428` is a URL, too: of the scheme `localhost`.
  if (!/^https?:$/.test(given?.protocol ?? "") || given === null)
    throw new Error("Give the address of the Chat API: --url https://…");
  const [, path = "", inUrl] = /^(.*?)(?:\/v1\/channels\/([^/]+)\/?)?$/.exec(given.pathname) ?? [];
  const channelKey = values.channel ?? inUrl ?? env["CHAT_CHANNEL_KEY"];
  if (!channelKey || !/^dep_[a-z0-9_-]{6,80}$/.test(channelKey))
    throw new Error("Give the channel's address: --channel dep_…");
  const chatKey = values.key ?? env["CHAT_KEY"];
  if (!chatKey) throw new Error("Give the chat key: --key ck_…, or CHAT_KEY in the environment");
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(given.hostname);
  if (!isHere && values.yes !== true)
    throw new Error(`The tests create chats at ${given.origin} and its agent answers in them. Add --yes.`);
  const base = new URL(path, given.origin);
  // The environment's is of this project's channel, and opens all of its chats: no other one is to see it.
  const isOurs = isHere || values.exact === true;
  const teamKey = values["team-key"] ?? (isOurs ? env["CHANNEL_TEAM_KEY"] : undefined);
  return { base, channelKey, chatKey, live: values.exact !== true, teamKey: teamKey || undefined };
}

export async function command(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (values.help === true) {
      process.stdout.write(usageOf(await mostChats()));
      return 0;
    }
    const target = await withLab(targetOf(values, env));
    const started = performance.now();
    const { only = "", json } = values;
    const results = await verify(target, {
      isChosen: (title) => title.includes(only),
      onResult: ({ outcome, title }) => {
        if (outcome === "failed") process.stderr.write(`failed: ${title}\n`);
      },
    });
    const report = reportOf(results);
    const seconds = Math.round((performance.now() - started) / 1_000);
    process.stdout.write(`${json === true ? JSON.stringify(report, null, 1) : textOf(report)}\n`);
    process.stderr.write(`\n${sentenceOf(report)}, in ${seconds} s.\n`);
    return report.failed === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\nSee --help.\n`);
    return 2;
  }
}
