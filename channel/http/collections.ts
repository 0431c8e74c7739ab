/** Get the collection, submit the collection. */
import { getCollection, type SubmitDeps, submitCollection } from "../collections/submit-collection.ts";
import { json } from "./responses.ts";
import { mountRead, mountWrite, type RouteDeps } from "./route.ts";

export function mountCollections(deps: RouteDeps & SubmitDeps): void {
  mountRead(deps, "getCollection", async (call) => json(200, { item: await getCollection(deps, call) }));

  mountWrite(
    deps,
    "submitCollection",
    async ({ write, body, settings, noteReplay }) => {
      const { item, isReplay } = await submitCollection(deps, write, body, settings.limits);
      if (isReplay) noteReplay();
      // Specification, "Submit the collection": 200, the first time as well.
      return json(200, { item });
    },
    { defaults: { values: new Map(), fieldIds: [] } },
  );
}
