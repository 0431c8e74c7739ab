/**
 * When the team is back, by the channel's clock, in the customer's own time. The clock never goes back, so these share
 * the world of the remedies: no world is started for them when they run right after those, in a worker that has it.
 */
import { advanceTo } from "../support/london-time.ts";
import { expect, test } from "./remedies/stage.ts";

test.describe("a customer in Tokyo", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("out of hours the e-mail is asked for, and the team's return is told in the customer's own time", {
    tag: "@ours",
  }, async ({ stage: { chat, lab } }) => {
    await advanceTo(lab, ({ weekday, time }) => weekday === "Sat" && time === "22:00");
    await chat.open("/about");
    await chat.ask("I would like to speak to a person");
    const offer = chat.panel.getByRole("region", { name: "Talk to a person" });
    await expect(offer).toContainText(/back Monday.*your time/);
    await expect(offer).toContainText(/Monday.* 0?9:00 \(London\)/);
    const email = offer.getByLabel("Your e-mail address");
    await email.fill("maya@example");
    await offer.getByRole("button", { name: "Pass me to the team" }).click();
    await expect(offer).toContainText("Write an address such as name@example.com.");
    await expect(email).toBeFocused();
    await expect(email).toHaveValue("maya@example");
    await chat.expectAccessible();
  });
});

test.describe("a customer in London", () => {
  test.use({ timezoneId: "Europe/London" });

  test("holidays and the change to summer time: the team's return is right", { tag: "@ours" }, async ({
    stage: { chat, lab },
  }) => {
    const offer = chat.panel.getByRole("region", { name: "Talk to a person" });
    await chat.open("/about");
    // On Christmas Eve the team leaves at 13:00; the 25th and 26th are closed, and so are Sundays.
    await advanceTo(lab, ({ month, day, time }) => month === 12 && day === 24 && time === "13:15");
    await chat.ask("I would like to speak to a person");
    await expect(offer).toContainText(/back \w+day.* (0?9|10):00/);
    // The night to the last Sunday in March has an hour less.
    await advanceTo(
      lab,
      ({ weekday, month, day, time }) =>
        weekday === "Sat" && month === 3 && day >= 24 && day <= 30 && time === "23:00",
    );
    await chat.ask("I would like to speak to a person");
    await expect(offer).toContainText(/back Monday.* 0?9:00/);
  });
});
