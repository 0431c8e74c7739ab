/** The actions of the console's forms: those of the team API, in the name of the person at the console. */
import { hash } from "node:crypto";
import { setCookie } from "hono/cookie";
import { ChatApiError } from "#lib/chat-api/errors.ts";
import { parseRequest } from "#lib/chat-api/parse-request.ts";
import { chatIdPattern } from "#lib/chat-api/patterns.ts";
import type { ChannelApp, ChannelContext } from "../http/app.ts";
import { claimChat, failHandoff, releaseChat, resolveChat } from "../team/team-actions.ts";
import { askForDetails, editDetails, postMessage } from "../team/team-messages.ts";
import { ClaimBody, EditBody, FormBody, TeammateMessageBody } from "../team/team-requests.ts";
import { cookieOptions } from "./access.ts";
import { askedFieldRows } from "./conversation-view.ts";
import { type Fields, fieldsOf } from "./form-fields.ts";
import type { PageDeps, Pages } from "./pages.ts";
import { requireParameter } from "./read-pages.ts";

type ActionDeps = PageDeps & { app: ChannelApp };

const rememberedFor = 365 * 24 * 60 * 60;

interface ChatAction {
  ref: { channelKey: string; chatId: string };
  /** The teammate at the console. */
  name: string;
  fields: Fields;
}

/** The actions on a chat by the last part of their path. Each returns the notice to show, or null. */
const chatActions: Record<string, (deps: ActionDeps, action: ChatAction) => Promise<string | null>> = {
  claim: async (deps, { ref, name }) => {
    await claimChat(deps, ref, parseRequest(ClaimBody, { name }));
    return "You have this chat.";
  },
  "take-over": async (deps, { ref, name }) => {
    await claimChat(deps, ref, parseRequest(ClaimBody, { name, takesOver: true }));
    return "You have this chat.";
  },
  release: async (deps, { ref }) => {
    await releaseChat(deps, ref);
    return "The agent answers again.";
  },
  resolve: async (deps, { ref }) => {
    await resolveChat(deps, ref);
    return "The chat is resolved.";
  },
  fail: async (deps, { ref }) => {
    await failHandoff(deps, ref);
    return "The customer was told that nobody could be reached.";
  },
  messages: async (deps, { ref, name, fields }) => {
    const body = parseRequest(TeammateMessageBody, { text: fields["text"] ?? "", name });
    await postMessage(deps, ref, { ...body, key: fields["key"] });
    return null;
  },
  form: async (deps, { ref, name, fields }) => {
    await askForDetails(deps, ref, askedForm(fields), name);
    return "The customer sees the form.";
  },
  details: async (deps, { ref, fields }) => {
    const value = fields["value"]?.trim() ?? "";
    const edit = { fieldId: fields["fieldId"], value: value === "" ? null : value, status: fields["status"] };
    await editDetails(deps, ref, parseRequest(EditBody, { values: [edit] }).values);
    return "The detail is saved.";
  },
};

export function mountConsoleActions(deps: ActionDeps, pages: Pages): void {
  const { app, channelKey } = deps;

  for (const [action, run] of Object.entries(chatActions)) {
    app.post(`/console/chats/:chatId/${action}`, async (context) => {
      const chatId = requireParameter(context, "chatId", chatIdPattern);
      const fields = await fieldsOf(context);
      const { teammate } = await pages.view(context);
      return pages.act(context, `/console/chats/${chatId}`, () =>
        run(deps, { ref: { channelKey, chatId }, name: teammate, fields }),
      );
    });
  }

  app.post("/console/teammate", async (context) => {
    const { teammate = "" } = await fieldsOf(context);
    return pages.act(context, refererPath(context), async () => {
      const { name } = parseRequest(ClaimBody, { name: teammate.trim() });
      setCookie(context, "teammate", name, { ...cookieOptions(context), maxAge: rememberedFor });
      return null;
    });
  });
}

/** The form that the teammate composed. */
function askedForm(fields: Fields): FormBody {
  const rows = Array.from({ length: askedFieldRows }, (_, index) => index + 1).filter(
    (row) => (fields[`label${row}`] ?? "").trim() !== "",
  );
  if (rows.length === 0) throw new ChatApiError("invalid_request", { message: "A form needs a question." });
  return parseRequest(FormBody, {
    collectionId: "team-details",
    purpose: fields["purpose"],
    fields: rows.map((row) => {
      const label = (fields[`label${row}`] ?? "").trim();
      return {
        required: fields[`required${row}`] !== undefined,
        field: {
          id: idOf(label),
          label,
          type: fields[`type${row}`],
          choices: choicesOf(fields[`type${row}`] === "choice" ? (fields[`choices${row}`] ?? "") : ""),
        },
      };
    }),
    canSkip: fields["canSkip"] !== undefined,
  });
}

/** One ID for each text, so that an answer belongs to its question and a choice to its words. */
function idOf(text: string): string {
  return hash("sha256", text.normalize("NFKC").toLowerCase(), "base64url").slice(0, 22);
}

/** The options between commas or line breaks, without repetitions. */
function choicesOf(text: string): { id: string; label: string }[] {
  const labels = text
    .split(/[,\n]/)
    .map((label) => label.trim())
    .filter((label) => label !== "");
  return [...new Map(labels.map((label) => [idOf(label), label]))].map(([id, label]) => ({ id, label }));
}

/** The page that the form was on: path and query only, and only below `/console`. */
function refererPath(context: ChannelContext): string {
  const referer = URL.parse(context.req.header("referer") ?? "");
  return referer?.pathname.startsWith("/console") === true
    ? `${referer.pathname}${referer.search}`
    : "/console";
}
