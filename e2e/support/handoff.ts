/** Customers and teammates side by side in the world that the tests share, each with a browser of their own. */
import { randomUUID } from "node:crypto";
import type { BrowserContextOptions } from "@playwright/test";
import { test as base, ChatPage, expect } from "./chat-page.ts";
import { channelUrl, lab } from "./lab.ts";
import { signIn } from "./sign-in.ts";
import { TeamConsole } from "./team-console.ts";

export { expect };

export interface WithTeam {
  mode: "agent" | "waiting" | "teammate";
  /** What the customer has said last. */
  says: string;
  /** Who has the chat, in the mode `teammate`. */
  teammate?: string;
}

interface Stage {
  /** A customer's browser. The page's timers go on by themselves and can be moved on: `news`. */
  newCustomer(options?: BrowserContextOptions): Promise<ChatPage>;
  /** A customer whose chat, in this state, is open on the screen. */
  customerWith(chat: WithTeam): Promise<{ chat: ChatPage; chatId: string }>;
  newTeammate(name: string): Promise<TeamConsole>;
}

export const test = base.extend<{ stage: Stage }>({
  stage: async ({ browser, endsAccessible }, use, testInfo) => {
    const customers: ChatPage[] = [];
    const contexts: { close(): Promise<void> }[] = [];
    const newPage = async (options: BrowserContextOptions = {}) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context.newPage();
    };
    const newCustomer = async (options?: BrowserContextOptions) => {
      const page = await newPage(options);
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
    if (endsAccessible && testInfo.status === testInfo.expectedStatus) {
      for (const chat of customers) if ((await chat.panel.count()) > 0) await chat.expectAccessible();
    }
    for (const context of contexts) await context.close();
  },
});

const customerId = "maya-okafor";

/** The chat looks for news by itself every few seconds while the team has it: those pass at once. */
export async function news({ page }: ChatPage): Promise<void> {
  await page.clock.fastForward(2_000);
}

/** Asks for a person, accepts the offer with the details that the team wants first, and says what it is about. */
export async function passToTeam(chat: ChatPage, says: string): Promise<void> {
  await chat.ask("I would like to speak to a person");
  const offer = chat.panel.getByRole("region", { name: "Talk to a person" });
  await expect(offer.getByRole("button", { name: "Pass me to the team" })).toBeVisible();
  // Whether the team is there, and so whether it needs an address, is a matter of the hour.
  const email = offer.getByLabel("Your e-mail address");
  const asksEmail = (await email.count()) > 0;
  if (asksEmail) await email.fill("maya@example.com");
  await offer.getByRole("button", { name: "Pass me to the team" }).click();
  await expect(chat.panel.getByText("The team needs a few details first")).toBeVisible();
  const form = chat.panel.locator("form", { hasText: "What is it about?" });
  await form.getByText("A repair", { exact: true }).click();
  // Nobody has to type twice what they have just typed.
  if (asksEmail) await expect(form.getByLabel("E-mail address")).toHaveValue("maya@example.com");
  else await form.getByLabel("E-mail address").fill("maya@example.com");
  await form.getByRole("button", { name: "Send" }).click();
  await expect(chat.panel.getByText(/^Waiting since/)).toBeVisible();
  await chat.send(says);
  await chat.settled();
}
