import { Icon } from "#components/ui/icon.tsx";
import { hoursOn, type Store, storeTimeZone, type Weekday, weekdayOf, weekdays } from "#lib/shop/stores.ts";
import { dayNames, OpeningLine } from "./opening-line.tsx";
import { StorePicture } from "./store-picture.tsx";
import styles from "./store-section.module.css";

export function StoreSection({ store, now }: { store: Store; now: Date }) {
  return (
    <section aria-labelledby={store.id} className={styles["store"]}>
      <StorePicture store={store.id} />
      <div className={styles["text"]}>
        <h2 className={styles["name"]} id={store.id}>
          {store.name}
        </h2>
        <OpeningLine now={now} store={store} />
        <p>{store.about}</p>
        <ul className={styles["contact"]}>
          <li>
            <Icon name="pin" />
            <address>
              {store.address.street}, {store.address.town} {store.address.postcode}
            </address>
          </li>
          <li>
            <Icon name="phone" />
            {store.phone === null ? (
              <span>No telephone here</span>
            ) : (
              <a href={`tel:${store.phone.replaceAll(" ", "")}`}>{store.phone}</a>
            )}
          </li>
          <li>
            <Icon name="mail" />
            <a href={`mailto:${store.email}`}>{store.email}</a>
          </li>
          <li>
            <Icon name="wrench" />
            <span>{store.workshop.note}</span>
          </li>
        </ul>
        <p className={styles["way"]}>{store.gettingHere}</p>
        <ul aria-label={`Services in ${store.name}`} className={styles["services"]}>
          {store.services.map((service) => (
            <li key={service}>{service}</li>
          ))}
        </ul>
      </div>
      <Hours now={now} store={store} />
    </section>
  );
}

function Hours({ store, now }: { store: Store; now: Date }) {
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: storeTimeZone, dateStyle: "short" }).format(now);
  const { hours: todays, closure } = hoursOn(store, today);
  const spanOf = (day: Weekday) => {
    const hours = day === weekdayOf(today) ? todays : store.hours[day];
    return hours === null ? "Closed" : hours.join("–");
  };
  return (
    <table className={styles["hours"]}>
      <caption>Opening hours{closure === undefined ? "" : `, today as on ${closure}`}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Shop</th>
          {store.workshop.hours === null ? null : <th scope="col">Workshop</th>}
        </tr>
      </thead>
      <tbody>
        {weekdays.map((day) => (
          <tr aria-current={day === weekdayOf(today) ? "date" : undefined} key={day}>
            <th scope="row">{dayNames[day]}</th>
            <td>{spanOf(day)}</td>
            {store.workshop.hours === null ? null : (
              <td>{store.workshop.hours[day]?.join("–") ?? "Closed"}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
