import { createElement } from "react";
import { expect, test } from "vitest";
import { type Failure, failure } from "../../../lib/engine/failure.ts";
import { rendered } from "../testing/rendered.ts";
import { HistoryNote, RemedyNote } from "./remedy-note.tsx";

const note = (failed: Failure, onPress: (() => void) | undefined = () => undefined) =>
  rendered(createElement(RemedyNote, { failure: failed, onPress }));

test("disables the button for as long as the server asks", () => {
  const button = /<button[^>]*>/;
  const limited = note(failure("rate_limited", { at: Date.now() - 5_500, retryAfterSeconds: 30 }));
  expect(button.exec(limited)?.[0]).toContain("disabled");
  expect(limited).toContain("in 25 seconds");
  const over = note(failure("rate_limited", { at: Date.now() - 31_000, retryAfterSeconds: 30 }));
  expect(button.exec(over)?.[0]).not.toContain("disabled");
});

test("does not delay a button that does not repeat the request", () => {
  const html = note(failure("chat_closed", { at: Date.now(), retryAfterSeconds: 30 }));
  expect(html).toContain("New chat</button>");
  expect(html).not.toContain("disabled");
});

test("offers a button only if it can help, and the shop's number if the chat cannot", () => {
  expect(note(failure("chat_unavailable"))).toMatch(/Try again.*href="tel:/s);
  expect(note(failure("connection_lost"))).not.toContain("tel:");
  expect(rendered(createElement(RemedyNote, { failure: failure("connection_lost") }))).not.toContain(
    "<button",
  );
  const withTeam = failure("operation_superseded", { isListed: true, mode: "teammate" });
  expect(note(withTeam)).not.toContain("<button");
});

test("offers the details of a request, which has an ID to quote to support", () => {
  const details = /<button[^>]* aria-label="Details"[^>]* aria-expanded="false"/;
  expect(note(failure("internal_error", { requestId: "req_42" }))).toMatch(details);
  expect(note(failure("internal_error"))).not.toMatch(details);
});

test("announces its sentence, but not the countdown that follows it", () => {
  const props = { failure: failure("connection_lost"), text: "We can’t load it.", countdown: "In 5 s." };
  expect(rendered(createElement(RemedyNote, props))).toContain(
    '<p><span role="alert">We can’t load it.</span> In 5 s.',
  );
});

test("offers to read a chat again instead of the error code's own remedy", () => {
  const props = { failure: failure("invalid_request"), retryAt: Date.now() + 5_000 };
  const html = rendered(createElement(HistoryNote, props));
  expect(html).toContain("Try again");
  expect(html).not.toContain("Edit");
});
