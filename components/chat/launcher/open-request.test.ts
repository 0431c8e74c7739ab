// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { type OpenRequest, type OpenRequests, watchOpenRequests } from "./open-request.ts";

const open = (detail: OpenRequest) => window.dispatchEvent(new CustomEvent("shop-chat:open", { detail }));

/** The earlier requests that a chat takes when it comes onto the page. */
function takenLater(): OpenRequest[] {
  const taken: OpenRequest[] = [];
  watchOpenRequests({ waiting: [] }, (wanted) => taken.push(wanted))();
  return taken;
}

test("leaves a request to the chat of another copy of the script", () => {
  const answered = vi.fn();
  // The listener of a copy that has a chat on the page.
  const other = (event: Event & { isAnswered?: true }) => {
    if (!event.isAnswered) answered();
    event.isAnswered = true;
  };
  window.addEventListener("shop-chat:open", other);
  open({ draft: "Do you deliver?" });
  window.removeEventListener("shop-chat:open", other);
  expect(answered).toHaveBeenCalledOnce();
  expect(takenLater()).toEqual([]);
});

test("keeps only the latest request until a chat is on the page, and does it once", () => {
  open({ send: "Hello?" });
  open({ send: "Do you deliver?" });
  expect(takenLater()).toEqual([{ send: "Do you deliver?" }]);
  expect(takenLater()).toEqual([]);
});

test("forgets a request of the page when its customer changes", () => {
  open({ send: "Where is my order?" });
  window.dispatchEvent(new Event("shop-chat:session"));
  expect(takenLater()).toEqual([]);
});

test("only opens the chat for what a former customer asked while it was loading", () => {
  const requests: OpenRequests = { waiting: [{ send: "Where is my order?" }] };
  const stop = watchOpenRequests(requests, () => undefined);
  window.dispatchEvent(new Event("shop-chat:session"));
  stop();
  expect(requests.waiting).toEqual([{}]);
});
