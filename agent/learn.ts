/** Learns before the first start, where a start could not keep what it learned (`learning/remember.ts`). */
import { openShop } from "./knowledge/shop.ts";

openShop("");
