/** The forms that the shop's agent can request: typed access to forms.json. */
import type { Collection } from "../chat-client/public.ts";
import data from "./forms.json" with { type: "json" };
import type { Locale } from "./locales.ts";

export type Localised = Readonly<Record<Locale, string>>;

export interface ShopForm {
  collectionId: string;
  title: Localised;
  purpose: Localised;
  canSkip: boolean;
  canCancel: boolean;
  pendingAction: string | null;
  fields: readonly {
    id: string;
    type: Collection["fields"][number]["type"];
    required: boolean;
    label: Localised;
    description: Localised;
    choices: readonly { id: string; label: Localised }[];
  }[];
}

/** content.test.ts checks the file's shape. */
export const forms = data.forms as readonly ShopForm[];
