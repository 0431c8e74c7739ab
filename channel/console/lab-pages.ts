/** The lab's page and the actions of its forms. */
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import type { ChannelApp } from "../http/app.ts";
import { clockMoments } from "../lab/clock-moments.ts";
import type { LabControls } from "../lab/lab-controls.ts";
import { ChannelBody, ClockBody, FaultBody, LimitsBody } from "../lab/lab-requests.ts";
import { type Fields, fieldsOf } from "./form-fields.ts";
import { labPage } from "./lab-view.ts";
import type { PageDeps, Pages } from "./pages.ts";
import { comingMoment } from "./wording.ts";

const limitFields = Object.keys(LimitsBody.shape);

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
    const body = labPage(view, state, clockMoments(deps.settings.current().hours, state.now));
    return pages.answer(context, view, { title: "Lab", section: "lab", body });
  });

  /** Mounts an action that returns to the lab's page and shows what `run` returns as a notice. */
  const post = (path: string, run: (fields: Fields) => Promise<string>) =>
    app.post(`${page}${path}`, async (context) => {
      const fields = await fieldsOf(context);
      return pages.act(context, page, () => run(fields));
    });

  const move = async (seconds: number) => {
    const now = await controls.advance(parseRequest(ClockBody, { advanceSeconds: seconds }).advanceSeconds);
    return `It is ${comingMoment(now, deps.settings.current().hours?.timeZone ?? "UTC")} now.`;
  };
  post("/clock", (fields) => move(Number(fields["advanceSeconds"])));
  post("/moment", (fields) => {
    const at = Date.parse(fields["at"] ?? "");
    return move((at - deps.settings.clock.now().getTime()) / 1000);
  });

  post("/channel", async (fields) => {
    const change = {
      published: fields["published"] !== undefined,
      suspended: fields["suspended"] !== undefined,
    };
    const { published, suspended } = await controls.setChannel(parseRequest(ChannelBody, change));
    return `The channel is ${published ? "published" : "not published"}, its workspace ${suspended ? "suspended" : "in order"}.`;
  });

  post("/limits", async (fields) => {
    const given = limitFields.filter((name) => (fields[name] ?? "") !== "");
    const limits = Object.fromEntries(given.map((name) => [name, Number(fields[name])]));
    await controls.setLimits(parseRequest(LimitsBody, limits));
    return given.length === 0 ? "No limit was filled in." : "The limits are set.";
  });
  post("/limits/reset", async () => {
    await controls.setLimits(Object.fromEntries(limitFields.map((name) => [name, null])));
    return "The limits are back at their defaults.";
  });

  post("/faults", async (fields) => {
    const { remaining, operation } = await controls.addFault(parseRequest(FaultBody, faultOf(fields)));
    return `The next ${remaining === 1 ? "" : `${remaining} `}${operation} will meet it.`;
  });
  post("/faults/clear", async () => {
    await controls.clearFaults();
    return "There are no faults any more.";
  });
}

/** The fault of a submitted form, without the fields that were left empty. */
function faultOf(fields: Fields): Record<string, unknown> {
  const numbers = new Set(["afterDeltas", "milliseconds", "times"]);
  const given = Object.entries(fields).filter(([, value]) => value !== "");
  return Object.fromEntries(given.map(([name, value]) => [name, numbers.has(name) ? Number(value) : value]));
}
