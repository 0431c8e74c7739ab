export { listOrders as GET } from "#lib/shop/server/orders.ts";
