import * as shop from "shop-chat/headless";

const chat = shop.createChat({ api: "/api/chat", locale: "en" });
const list = document.createElement("ul");
const composer = document.createElement("form");
const field = Object.assign(document.createElement("input"), { ariaLabel: "Message" });
composer.append(field, make("button", "Send"));
document.body.append(list, composer);
field.oninput = () => chat.setText(field.value);
composer.onsubmit = (event) => {
  event.preventDefault();
  chat.send();
};

function make(name: string, content: string | (Node | string)[], press?: () => void): HTMLElement {
  const element = Object.assign(document.createElement(name), { onclick: press ?? null });
  element.append(...[content].flat());
  return element;
}

function remedy(failure: shop.Failure, again: () => void): Node[] {
  const { text, button } = shop.remedyFor(failure);
  const press = { new_chat: chat.startOver, reload_messages: chat.reload }[String(button)] ?? again;
  return [make("p", text.replaceAll("_", " ")), ...(button ? [make("button", button, press)] : [])];
}

function form(state: shop.ChatState): Node[] {
  const { collection } = state.conversation;
  if (!collection?.request) return [];
  const fields = shop.formEntries(collection).map((entry) => {
    const answer = document.createElement(entry.field.type === "choice" ? "select" : "input");
    answer.append(...entry.field.choices.map(({ id, label }) => new Option(label, id)));
    answer.value = shop.answerText(entry, shop.typedAnswersOf(state));
    answer.oninput = () => chat.answerForm(entry.field.id, answer.value);
    return make("label", [entry.field.label, answer, shop.formProblemsOf(state).get(entry.field.id) ?? ""]);
  });
  const { progress } = shop.formStateOf(state.forms, collection.request.id);
  const note = progress.state === "failed" ? remedy(progress.failure, chat.retryForm) : [];
  return [...fields, make("button", "Send answers", () => void chat.submitForm()), ...note];
}

function offer({ conversation, forms }: shop.ChatState, { id, handoffOffer }: shop.Message): Node[] {
  if (!handoffOffer || !shop.isAcceptable(conversation, id)) return [];
  const email = Object.assign(document.createElement("input"), { value: forms.offer.email });
  email.oninput = () => chat.setOfferEmail(email.value);
  const accept = make("button", "Talk to the team", () => void chat.acceptOffer(handoffOffer));
  return [...(handoffOffer.requiresEmail ? [make("label", ["Email", email])] : []), accept];
}

chat.subscribe(() => {
  // Drawing again would take the field away that the customer types into.
  if (list.querySelector("input:focus, select:focus")) return;
  const state = chat.getState();
  const rows = shop.timelineOf(state.conversation).map((row) => {
    if (row.kind === "message") return [row.message.text, ...offer(state, row.message)];
    if (row.kind === "pending") return [row.pending.record.text];
    if (row.kind === "reply") return [row.reply.text];
    if (row.kind !== "note" || row.pending.delivery.state !== "refused") return [];
    return remedy(row.pending.delivery.failure, () => chat.retry(row.keys));
  });
  const { failure } = state.conversation.history;
  const parts = [...rows, form(state), failure ? remedy(failure, chat.reload) : []];
  list.replaceChildren(...parts.filter(({ length }) => length > 0).map((part) => make("li", part)));
  if (field.value !== state.draft.text) field.value = state.draft.text;
});
chat.start();
