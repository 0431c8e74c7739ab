/** Customers and teammates in the shared test environment, each in a browser context of their own. */
import { randomUUID } from "node:crypto";
import { test as base, ChatPage, expect } from "./chat-page.ts";
import { channelUrl, lab } from "./lab.ts";
import { signIn } from "./sign-in.ts";
import { TeamConsole } from "./team-console.ts";

export { expect };

export interface TeamChat {
  mode: "agent" | "waiting" | "teammate";
  /** The customer's last message. */
  says: string;
  /** The teammate who has the chat, in the mode `teammate`. */
  teammate?: string;
}

interface People {
  /** A customer's browser. Its timers run in real time, and `pollNow` advances them. */
  newCustomer(): Promise<ChatPage>;
  /** A customer whose chat is in this state and open on the page. */
  customerWith(chat: TeamChat): Promise<{ chat: ChatPage; chatId: string }>;
  newTeammate(name: string): Promise<TeamConsole>;
}

export const test = base.extend<{ people: People }>({
  people: async ({ browser, checkAccessibilityAtEnd }, use, testInfo) => {
    const customers: ChatPage[] = [];
    const contexts: { close(): Promise<void> }[] = [];
    const newPage = async () => {
      const context = await browser.newContext();
      contexts.push(context);
      return context.newPage();
    };
    const newCustomer = async () => {
      const page = await newPage();
      await page.clock.install();
      const chat = new ChatPage(page);
      customers.push(chat);
      return chat;
    };
    await use({
      newCustomer,
      async customerWith({ mode, says, teammate }) {
        const chat = await newCustomer();
        const { page } = chat;
        await signIn(page, customerId);
        const chatId = `with_team_${randomUUID()}`;
        const createdAt = new Date().toISOString();
        await lab.importChat({
          id: chatId,
          userId: `cust.${customerId}`,
          mode,
          ...(mode === "agent" ? {} : { handoff: { status: mode === "waiting" ? "waiting" : "claimed" } }),
          ...(teammate === undefined ? {} : { teammate }),
          messages: [{ role: "visitor", text: says, createdAt }],
        });
        await page.goto(`/about?chat=${chatId}`);
        await expect(chat.messages("visitor")).toHaveCount(1);
        return { chat, chatId };
      },
      async newTeammate(name) {
        const team = new TeamConsole(await newPage(), channelUrl);
        await team.signAs(name);
        return team;
      },
    });
    if (checkAccessibilityAtEnd && testInfo.status === testInfo.expectedStatus) {
      for (const chat of customers) if ((await chat.panel.count()) > 0) await chat.expectAccessible();
    }
    for (const context of contexts) await context.close();
  },
});

const customerId = "maya-okafor";

/** Advances the page's clock past the next poll for messages. */
export async function pollNow({ page }: ChatPage): Promise<void> {
  await page.clock.fastForward(2_000);
}

/** Asks for a person, accepts the offer, fills in the team's form and sends a message. */
export async function passToTeam(chat: ChatPage, says: string): Promise<void> {
  await chat.ask("I would like to speak to a person");
  const offer = chat.panel.getByRole("region", { name: "Talk to the team" });
  await expect(offer.getByRole("button", { name: "Talk to the team" })).toBeVisible();
  // The offer asks for an email address only outside the team's hours.
  const email = offer.getByLabel("Your email address");
  const asksEmail = (await email.count()) > 0;
  if (asksEmail) await email.fill("maya@example.com");
  await offer.getByRole("button", { name: "Talk to the team" }).click();
  await expect(chat.panel.getByText("The team needs a few details first")).toBeVisible();
  const form = chat.panel.locator("form", { hasText: "What is it about?" });
  await form.getByText("A repair", { exact: true }).click();
  const asked = form.getByRole("textbox", { name: "Email address" });
  // The form is filled in with an address that was given with the offer (WCAG 3.3.7).
  if (asksEmail) await expect(asked).toHaveValue("maya@example.com");
  else await asked.fill("maya@example.com");
  await form.getByRole("button", { name: "Send to the team" }).click();
  await expect(chat.panel.getByText(/Waiting since/)).toBeVisible();
  await chat.send(says);
  await chat.settled();
}
