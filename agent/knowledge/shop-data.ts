/** The agent's knowledge: the content that the shop's own pages show (`lib/shop`). */
import { catalogue, type ShopProduct } from "#lib/shop/catalogue.ts";
import { forms, type ShopForm } from "#lib/shop/forms.ts";
import { helpPages } from "#lib/shop/help.ts";
import { customers, type DemoCustomer, type OwnedOrder, orders } from "#lib/shop/orders.ts";
import { type Store, stores } from "#lib/shop/stores.ts";
import team from "#lib/shop/team.json" with { type: "json" };
import { type HelpPage, readHelpPage } from "./help-page.ts";

export interface ShopData {
  products: readonly ShopProduct[];
  pages: readonly HelpPage[];
  customers: readonly DemoCustomer[];
  orders: readonly OwnedOrder[];
  forms: readonly ShopForm[];
  stores: readonly Store[];
  agentName: string;
}

export function readShopData(): ShopData {
  return {
    products: catalogue,
    pages: helpPages.map(readHelpPage),
    customers,
    orders,
    forms,
    stores,
    agentName: team.agent.name,
  };
}
