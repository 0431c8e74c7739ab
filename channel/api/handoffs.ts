/** Pass the chat to the team. */
import { defaultLocale } from "../chats/create-chat.ts";
import { acceptHandoff, type HandoffDeps } from "../handoffs/accept-handoff.ts";
import { created } from "../http/responses.ts";
import { mountWrite, type RouteDeps } from "./route.ts";

export function mountHandoffs(deps: RouteDeps & HandoffDeps): void {
  mountWrite(
    deps,
    "handoff",
    async ({ write, body, settings }) => {
      const { item, isReplay } = await acceptHandoff(deps, write, body, settings);
      return created(item, isReplay);
    },
    { defaults: { locale: defaultLocale } },
  );
}
