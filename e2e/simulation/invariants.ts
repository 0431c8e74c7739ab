/** What must hold, checked after each step and at an episode's end. Named as in docs/promises.md. */
import type { World } from "./world.ts";

export interface Violation {
  invariant: string;
  what: string;
}

/** After a step. */
export function violationAtStep({ errors }: World): Violation | null {
  const [error] = errors;
  return error === undefined
    ? null
    : { invariant: "nothing is thrown", what: `${error.where}: ${describe(error.error)}` };
}

/** When the network has healed, time has run on and nothing waits any more. */
export function violationAtEnd({ model, presses, pages }: World): Violation | null {
  const stored = [...model.chats.values()].flatMap(({ messages }) => messages);
  for (const press of presses) {
    // Tabs that cannot store do not know what the others have sent before a sign-in.
    if (press.kind !== "send" || press.page.browser.hasLostStorage) continue;
    const equal = presses.filter((other) => other.kind === "send" && other.text === press.text).length;
    const count = stored.filter(({ role, text }) => role === "visitor" && text === press.text).length;
    if (count > equal)
      return {
        invariant: "stored once",
        what: `"${press.text}" is stored ${count} times for ${equal} presses`,
      };
  }
  for (const page of pages)
    if (
      page.life === "open" &&
      page.state().conversation.pending.some(({ delivery }) => delivery.state !== "refused")
    )
      return {
        invariant: "waiting ends",
        what: `a message still waits in ${page.actor.name}: ${JSON.stringify(page.state().conversation.pending)}`,
      };
  return null;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
