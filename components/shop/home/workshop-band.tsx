import { ButtonLink } from "#components/ui/button.tsx";
import { AskButton } from "../site/ask-button.tsx";
import styles from "./workshop-band.module.css";

const services = [
  {
    name: "Bronze",
    price: "£55",
    time: "1 to 3 working days",
    text: "A safety check and adjustment for a bike that is used every week.",
  },
  {
    name: "Silver",
    price: "£99",
    time: "3 to 5 working days",
    text: "Bronze, and the drivetrain cleaned, cables renewed, bearings set.",
  },
  {
    name: "Gold",
    price: "Quoted",
    time: "7 to 10 working days",
    text: "The whole bicycle taken apart, cleaned and rebuilt. The inspection is free.",
  },
] as const;

export function WorkshopBand() {
  return (
    <section aria-labelledby="workshop-title" className={styles["band"]}>
      <div className={styles["inside"]}>
        <div className={styles["words"]}>
          <h2 className={styles["title"]} id="workshop-title">
            We mend every kind of bicycle
          </h2>
          <p>Wherever you bought it, in Kelderby and Brackwater. Work is guaranteed for 90 days.</p>
          <p className={styles["actions"]}>
            <AskButton draft="I would like to book a service" variant="primary">
              Book a service
            </AskButton>
            <ButtonLink href="/help/workshop-prices">All prices</ButtonLink>
          </p>
        </div>
        <ul className={styles["services"]}>
          {services.map((service) => (
            <li className={styles["service"]} key={service.name}>
              <h3 className={styles["name"]}>{service.name}</h3>
              <p className={styles["price"]}>{service.price}</p>
              <p>{service.text}</p>
              <p className={styles["time"]}>{service.time}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
