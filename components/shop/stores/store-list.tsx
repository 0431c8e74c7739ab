import { Icon } from "#components/ui/icon.tsx";
import { Link } from "#components/ui/link.tsx";
import { stores } from "#lib/shop/stores.ts";
import { OpeningLine } from "./opening-line.tsx";
import styles from "./store-list.module.css";

/** The shops in a row: address, telephone, open or closed. */
export function StoreList({ now }: { now: Date }) {
  return (
    <ul className={styles["list"]}>
      {stores.map((store) => (
        <li className={styles["store"]} key={store.id}>
          <h3 className={styles["name"]}>
            <Link href={`/stores#${store.id}`}>{store.name}</Link>
          </h3>
          <OpeningLine now={now} store={store} />
          <p className={styles["row"]}>
            <Icon name="pin" /> {store.address.street}
          </p>
          <p className={styles["row"]}>
            {store.phone === null ? (
              <>
                <Icon name="mail" /> <a href={`mailto:${store.email}`}>{store.email}</a>
              </>
            ) : (
              <>
                <Icon name="phone" /> <a href={`tel:${store.phone.replaceAll(" ", "")}`}>{store.phone}</a>
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
