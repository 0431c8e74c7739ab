/** Get the collection, submit the collection. */
import { getCollection } from "../collections/collection-store.ts";
import { json } from "../http/responses.ts";
import { type SubmitDeps, submitCollection } from "../turns/submit-collection.ts";
import { mountRead, mountWrite, type RouteDeps } from "./route.ts";

export function mountCollections(deps: RouteDeps & SubmitDeps): void {
  mountRead(deps, "getCollection", async (call) =>
    json(200, { item: await getCollection(deps.database.sql, call) }),
  );

  mountWrite(
    deps,
    "submitCollection",
    async ({ write, body, settings, noteReplay }) => {
      const { item, isReplay } = await submitCollection(deps, write, body, settings.limits);
      if (isReplay) noteReplay();
      // A first submission answers 200, too (docs/chat-api.md, "Idempotency").
      return json(200, { item });
    },
    { defaults: { values: new Map(), fieldIds: [] } },
  );
}
