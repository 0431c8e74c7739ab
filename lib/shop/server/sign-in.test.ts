/** The demo's sessions. */
import { expect, test } from "vitest";
import { customerOf, customerOfSession, endSession, startSession } from "./sign-in.ts";

const requestWith = (session: string) =>
  new Request("http://localhost:3000/", { headers: { cookie: `theme=dark; shop_session=${session}; a=b` } });

test("signs a customer in until the session ends", () => {
  const session = startSession("maya-okafor") ?? "";
  expect(customerOf(requestWith(session))?.name).toBe("Maya Okafor");
  endSession(session);
  expect(customerOf(requestWith(session))).toBeNull();
  expect(customerOfSession(startSession("maya-okafor"))?.id).toBe("maya-okafor");
});

test("signs nobody in without a known customer", () => {
  for (const id of ["nobody", "", null, undefined, new File([], "maya-okafor")])
    expect(startSession(id)).toBeUndefined();
  expect(customerOf(new Request("http://localhost:3000/"))).toBeNull();
  expect(customerOf(requestWith("nobody~token"))).toBeNull();
});
