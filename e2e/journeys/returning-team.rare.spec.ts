/**
 * The time of the team's return, from the channel's clock, in the customer's time zone. The clock never goes
 * back, so the test uses the remedies' environment, which the same worker has often started already. The page
 * names a day by its distance: its clock is set to the channel's. `channel/handoffs/hours.test.ts` covers
 * holidays and the change to summer time.
 */
import { advanceTo } from "../support/london-time.ts";
import { expect, test } from "./remedies/remedy-test.ts";

test.use({ timezoneId: "Asia/Tokyo" });

test("asks for the email address and shows the team's return in local time", async ({
  fixtures: { chat, lab, page },
}) => {
  const now = await advanceTo(lab, ({ weekday, time }) => weekday === "Sat" && time === "22:00");
  await page.clock.setSystemTime(now);
  await chat.open();
  await chat.ask("I would like to speak to a person");
  const offer = chat.panel.getByRole("region", { name: "Talk to the team" });
  await expect(offer).toContainText(/by email from tomorrow at \d\d:00 \(your time\)/);
  const email = offer.getByLabel("Your email address");
  await email.fill("maya@example");
  await offer.getByRole("button", { name: "Talk to the team" }).click();
  await expect(offer).toContainText("Enter an address such as name@example.com.");
  await expect(email).toBeFocused();
  await expect(email).toHaveValue("maya@example");
  await chat.expectAccessible();
});
