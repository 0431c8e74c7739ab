import { type ReactNode, useRef, useState } from "react";
import type { Price, Product } from "../../../lib/chat-api/message.ts";
import { safePictureUrl } from "../../../lib/engine/shown.ts";
import { safeUrl } from "../../../lib/engine/text-parts.ts";
import { useChatContext } from "../chat-context.ts";
import { IconButton } from "../controls/buttons.tsx";
import { Hidden } from "../controls/hidden.tsx";
import { Icon } from "../controls/icons.tsx";
import { PlainPicture } from "../controls/plain-picture.tsx";
import { SafeLink } from "../controls/safe-link.tsx";
import { markSmall, useRetryOnline } from "../files/use-picture.ts";
import { fill } from "../i18n/strings.ts";
import styles from "./cards.module.css";

interface ProductCardsProps {
  products: readonly Product[];
  /** Called with the ID of the opened product. */
  onOpen?: (productId: string) => void;
}

/** A row that scrolls from card to card when not all fit: with the arrow keys, or with buttons on hover. */
export function ProductCards({ products, onOpen }: ProductCardsProps) {
  const { t, shop } = useChatContext();
  const row = useRef<HTMLUListElement>(null);
  const [hasPrevious, setPrevious] = useState(false);
  const [hasNext, setNext] = useState(false);
  const look = ({ currentTarget: list }: { currentTarget: HTMLElement }) => {
    const scrolled = Math.abs(list.scrollLeft);
    setPrevious(scrolled > 1);
    setNext(scrolled + list.clientWidth < list.scrollWidth - 1);
  };
  const arrow = (label: string, icon: "back" | "forward", by: number) => (
    <IconButton
      className={styles["arrow"] ?? ""}
      label={label}
      icon={<Icon name={icon} />}
      tabIndex={-1}
      // At the row's end the button goes, and the focus would go with it.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ currentTarget }) =>
        row.current?.scrollBy({ left: currentTarget.matches(":dir(rtl)") ? -by : by })
      }
    />
  );
  const pictures = products.map(({ imageUrl }) =>
    safePictureUrl(imageUrl, window.location.origin, shop.pictureOrigins),
  );
  return (
    <div className={styles["productRow"]}>
      {hasPrevious && arrow(t.lightbox.previous, "back", -200)}
      <ul
        ref={row}
        className={styles["products"]}
        aria-label={t.products.label}
        // Without `tabIndex` the keyboard cannot scroll cards without links (WCAG 2.1.1).
        tabIndex={products.length > 1 ? 0 : undefined}
        data-count={products.length}
        onScroll={look}
        onPointerEnter={look}
        onFocus={look}
      >
        {products.map((product, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: IDs may repeat, and the products of one answer never change places
          <ProductCard key={index} product={product} onOpen={() => onOpen?.(product.id)}>
            {pictures.some((url) => url !== null) && <Picture url={pictures[index] ?? null} />}
          </ProductCard>
        ))}
      </ul>
      {hasNext && arrow(t.lightbox.next, "forward", 200)}
    </div>
  );
}

function ProductCard({
  product,
  onOpen,
  children,
}: {
  product: Product;
  onOpen(): void;
  children: ReactNode;
}) {
  const { t } = useChatContext();
  const url = safeUrl(product.productUrl);
  const title = <bdi>{product.title.trim() || t.products.untitled}</bdi>;
  return (
    <li className={styles["product"]}>
      {children}
      <div className={styles["productBody"]}>
        {product.brand !== null && (
          <p className={styles["small"]}>
            <bdi>{product.brand}</bdi>
          </p>
        )}
        <p className={styles["productTitle"]}>
          {url === null ? (
            title
          ) : (
            <SafeLink url={url} className={styles["cover"]} onOpen={onOpen}>
              {title}
            </SafeLink>
          )}
        </p>
        {product.price !== null && <PriceLine price={product.price} />}
        <Stock product={product} />
      </div>
    </li>
  );
}

/** A frame of fixed size. An icon stands in for a picture that is missing or does not load. */
function Picture({ url }: { url: string | null }) {
  const [hasFailed, setFailed] = useState(false);
  useRetryOnline(hasFailed, () => setFailed(false));
  return (
    <div className={styles["picture"]}>
      {url === null || hasFailed ? (
        <Icon name="picture" size={32} />
      ) : (
        <PlainPicture
          src={url}
          alt=""
          width={320}
          height={240}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onLoad={markSmall}
          onError={() => setFailed(true)}
        />
      )}
    </div>
  );
}

function PriceLine({ price }: { price: Price }) {
  const { t, format } = useChatContext();
  const { currency } = price;
  const amount = format.money(price.amount, currency);
  const was = price.was !== null && price.was > price.amount ? format.money(price.was, currency) : null;
  return (
    <p className={styles["price"]}>
      <span className={styles["amount"]} data-sale={was !== null}>
        {price.from ? fill(t.products.from, { price: amount }) : amount}
      </span>
      {was !== null && (
        <s>
          <Hidden>{fill(t.products.was, { price: "" })}</Hidden>
          {was}
        </s>
      )}
    </p>
  );
}

/** Shows only known values: an unknown stock gets no line. */
function Stock({ product: { inStock, clickAndCollectOnly } }: { product: Product }) {
  const { t } = useChatContext();
  if (inStock === null && !clickAndCollectOnly) return null;
  return (
    <ul className={styles["chips"]}>
      {inStock !== null && (
        <li data-tone={inStock ? "good" : "bad"}>{inStock ? t.products.inStock : t.products.soldOut}</li>
      )}
      {clickAndCollectOnly && (
        <li>
          <Icon name="store" size={16} />
          {t.products.collectOnly}
        </li>
      )}
    </ul>
  );
}
