/** The lab's page and the actions of its forms. */
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import type { ChannelApp } from "../http/app.ts";
import type { LabControls } from "../lab/lab-controls.ts";
import { ClockBody, FaultBody } from "../lab/lab-requests.ts";
import { type Fields, fieldsOf } from "./form-fields.ts";
import { labPage } from "./lab-view.ts";
import type { PageDeps, Pages } from "./pages.ts";
import { comingMoment } from "./wording.ts";

export function mountLabPages(
  deps: PageDeps & { app: ChannelApp },
  pages: Pages,
  controls: LabControls,
): void {
  const { app } = deps;
  const page = "/console/lab";

  app.get(page, async (context) => {
    const view = await pages.view(context);
    const state = await controls.read();
    return pages.show(context, view, { title: "Lab", section: "lab", body: labPage(view, state) });
  });

  /** Mounts an action that returns to the lab's page and shows what `run` returns as a notice. */
  const post = (path: string, run: (fields: Fields) => Promise<string>) =>
    app.post(`${page}${path}`, async (context) => {
      const fields = await fieldsOf(context);
      return pages.act(context, page, () => run(fields));
    });

  post("/clock", async (fields) => {
    const { advanceSeconds } = parseRequest(ClockBody, { advanceSeconds: Number(fields["advanceSeconds"]) });
    const now = await controls.advance(advanceSeconds);
    return `It is ${comingMoment(now, deps.settings.current().hours?.timeZone ?? "UTC")} now.`;
  });

  post("/faults", async (fields) => {
    const { remaining, operation } = await controls.addFault(parseRequest(FaultBody, faultOf(fields)));
    return `The fault affects the next ${remaining === 1 ? "" : `${remaining} `}${operation}.`;
  });
  post("/faults/clear", async () => {
    await controls.clearFaults();
    return "The faults are cleared.";
  });
}

/** The fault of a submitted form, without the fields that were left empty. */
function faultOf(fields: Fields): Record<string, unknown> {
  const numbers = new Set(["afterDeltas", "milliseconds", "times"]);
  const filled = Object.entries(fields).filter(([, value]) => value !== "");
  return Object.fromEntries(filled.map(([name, value]) => [name, numbers.has(name) ? Number(value) : value]));
}
