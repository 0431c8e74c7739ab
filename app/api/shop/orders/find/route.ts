export { findOrder as POST } from "#lib/shop/server/orders.ts";
