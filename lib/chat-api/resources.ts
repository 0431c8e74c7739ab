/** The schemas of the Chat API's resources by name, for the documents that describe them. */
import { Chat, Handoff } from "./chat.ts";
import { Collection, CollectionRequest, CollectionValue, Field } from "./collection.ts";
import { File } from "./file.ts";
import { Citation, HandoffOffer, Message, MessageTurn } from "./message.ts";
import { Order, OrderItem } from "./order.ts";
import { Price, Product } from "./product.ts";

export const resources = {
  Chat,
  Handoff,
  Message,
  MessageTurn,
  Citation,
  HandoffOffer,
  File,
  Collection,
  CollectionRequest,
  CollectionValue,
  Field,
  Product,
  Price,
  Order,
  OrderItem,
};
