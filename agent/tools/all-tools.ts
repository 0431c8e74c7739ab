import { askForDetailsTool } from "./ask-for-details.ts";
import { findProductsTool } from "./find-products.ts";
import { lookUpOrdersTool } from "./look-up-orders.ts";
import { offerTeamTool } from "./offer-team.ts";
import { searchHelpTool } from "./search-help.ts";
import { suggestRepliesTool } from "./suggest-replies.ts";

/** The tools that a model may use. */
export const allTools = [
  searchHelpTool,
  findProductsTool,
  lookUpOrdersTool,
  askForDetailsTool,
  offerTeamTool,
  suggestRepliesTool,
];
