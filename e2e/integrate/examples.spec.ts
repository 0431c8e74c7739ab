/** The examples whose interface is not the widget. */

import { test } from "../support/chat-page.ts";
import { testOwnInterface } from "../support/own-interface.ts";
import { hosts } from "./hosts.ts";

for (const { url } of hosts.filter(({ kind }) => kind === "headless"))
  test.describe("headless", () => {
    test.use({ baseURL: url });
    testOwnInterface(async (page) => {
      await page.goto("/");
    });
  });
