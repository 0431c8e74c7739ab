/**
 * An automatic teammate, so that one person alone can try a handoff from beginning to end. It claims waiting
 * chats, writes a few lines and answers a few messages, until a person acts in the chat. What it does next
 * follows from the chat, so that a restart repeats no line.
 */
import type { Chat } from "#lib/chat-api/chat.ts";
import type { Message } from "#lib/chat-api/message.ts";
import lines from "./lines.json" with { type: "json" };

/** Sends a request to the channel's `/team` with the team key: a GET, or a POST of the body. */
export type CallTeam = (
  path: string,
  body?: object,
  options?: { headers: Record<string, string> },
) => Promise<Response>;

const second = 1_000;
/** How long a chat must be unchanged: before the claim, long enough to see the waiting state. */
const pauses = { claim: 20 * second, lines: [3 * second, 6 * second], answer: 4 * second };
const greetings = pauses.lines.length;

/** Returns a function that takes the steps that are due at this time, in milliseconds. */
export function createTeammate(call: CallTeam, members: readonly string[]) {
  let unchanged = new Map<string, { version: string; since: number }>();
  const claimed = new Set<string>();

  return async (now: number): Promise<void> => {
    const [waiting, held] = [await list("waiting"), await list("teammate")];
    unchanged = new Map(
      [...waiting, ...held].map(({ chat: { id, updatedAt: version } }) => {
        const before = unchanged.get(id);
        return [id, before?.version === version ? before : { version, since: now }];
      }),
    );
    const hasRested = ({ id }: Chat, pause: number) => now - (unchanged.get(id)?.since ?? now) >= pause;
    for (const { chat } of waiting) if (hasRested(chat, pauses.claim)) await claim(chat);
    for (const { chat, locale } of held) {
      const next = await nextLine(chat, locale);
      if (next !== undefined && hasRested(chat, pauses.lines[next.index] ?? pauses.answer))
        await say(chat, next);
    }
  };

  async function list(mode: "waiting" | "teammate"): Promise<{ chat: Chat; locale: string }[]> {
    const response = await call(`/team/chats?mode=${mode}`);
    if (!response.ok) throw new Error(`The team's inbox answered ${response.status}.`);
    return (await response.json()).items;
  }

  async function claim({ id, handoff }: Chat): Promise<void> {
    const draw = Date.parse(handoff?.requestedAt ?? "") % Math.max(1, members.length);
    const { ok } = await call(`/team/chats/${id}/claim`, { name: members[draw] ?? "Robin" });
    // Otherwise a person was faster.
    if (ok) claimed.add(id);
  }

  /** Undefined while it is the customer's turn, after the last line, and in a person's chat. */
  async function nextLine({ id, teammate, handoff }: Chat, locale: string) {
    const response = await call(`/team/chats/${id}`);
    if (!response.ok) return undefined;
    const { messages }: { messages: readonly Message[] } = (await response.json()).item;
    const own = linesIn(locale, teammate?.name ?? "");
    const since = messages.filter(({ createdAt }) => (createdAt ?? "") >= (handoff?.requestedAt ?? ""));
    const said = since.filter(({ role }) => role === "teammate");
    if (said.length === 0 ? !claimed.has(id) : said.some(({ text }, index) => text !== own[index]))
      return undefined;
    const last = since.findLast(({ role }) => role !== "system");
    if (said.length >= greetings && last?.role !== "visitor") return undefined;
    const text = own[said.length];
    return text === undefined ? undefined : { index: said.length, text };
  }

  async function say({ id, handoff, teammate }: Chat, { index, text }: { index: number; text: string }) {
    // The key keeps a repeated request from posting the line twice.
    const headers = { "idempotency-key": `automatic.${Date.parse(handoff?.requestedAt ?? "")}.${index}` };
    await call(`/team/chats/${id}/messages`, { text, name: teammate?.name }, { headers });
  }
}

function linesIn(locale: string, name: string): string[] {
  const language = locale.split("-", 1)[0]?.toLowerCase();
  const [, own = lines.en] = Object.entries(lines).find(([known]) => known === language) ?? [];
  return own.map((line) => line.replace("{name}", name));
}
