/**
 * The time of the team's return, from the channel's clock, in the customer's time zone. The clock never goes
 * back, so these tests use the remedies' environment, which the same worker has often started already. How
 * far that clock has gone differs from run to run, and the page names a day by its distance and year: its
 * clock is set to the channel's.
 */
import { advanceTo } from "../support/london-time.ts";
import { expect, test } from "./remedies/remedy-test.ts";

test.describe("a customer in Tokyo", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("asks for the email address and shows the team's return in local time", {
    tag: "@ours",
  }, async ({ fixtures: { chat, lab, page } }) => {
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
});

test.describe("a customer in London", () => {
  test.use({ timezoneId: "Europe/London" });

  test("shows the team's return across holidays and the change to summer time", {
    tag: "@ours",
  }, async ({ fixtures: { chat, lab, page } }) => {
    const offer = chat.panel.getByRole("region", { name: "Talk to the team" });
    // The team leaves at 13:00 on Christmas Eve and is away on the 25th, the 26th and Sundays.
    await page.clock.setSystemTime(
      await advanceTo(lab, ({ month, day, time }) => month === 12 && day === 24 && time === "13:15"),
    );
    await chat.open();
    await chat.ask("I would like to speak to a person");
    await expect(offer).toContainText(/from \w+day.* (0?9|10):00/);
    // The night before the last Sunday in March is an hour shorter.
    const now = await advanceTo(
      lab,
      ({ weekday, month, day, time }) =>
        weekday === "Sat" && month === 3 && day >= 24 && day <= 30 && time === "23:00",
    );
    await page.clock.setSystemTime(now);
    await chat.ask("I would like to speak to a person");
    await expect(offer).toContainText(/from Monday.* 0?9:00/);
  });
});
