import { Badge } from "#components/ui/badge.tsx";
import { Icon } from "#components/ui/icon.tsx";
import type { ShopProduct } from "#lib/shop/catalogue.ts";

/** The stock level, in words as well as in colour. */
export function StockBadge({ product }: { product: ShopProduct }) {
  if (product.clickAndCollectOnly) {
    return (
      <Badge tone="info">
        <Icon name="pin" size={14} /> Collect in a shop
      </Badge>
    );
  }
  if (product.inStock === null) return <Badge tone="neutral">Ask for stock</Badge>;
  if (!product.inStock) return <Badge tone="danger">Sold out</Badge>;
  return (
    <Badge tone="success">
      <Icon name="check" size={14} /> In stock
    </Badge>
  );
}
