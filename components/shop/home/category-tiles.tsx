import { Link } from "#components/ui/link.tsx";
import styles from "./category-tiles.module.css";

const tiles = [
  { id: "bikes", name: "Bikes", image: "/shop/products/fell-2-gravel-bike.svg" },
  { id: "helmets", name: "Helmets", image: "/shop/products/kestrel-helmet.svg" },
  { id: "clothing", name: "Clothing", image: "/shop/products/ridge-gloves.svg" },
  { id: "luggage", name: "Bags", image: "/shop/products/gannet-handlebar-bag.svg" },
  { id: "lights", name: "Lights", image: "/shop/products/wick-900-lamp.svg" },
  { id: "camp", name: "Camping", image: "/shop/products/lean-to-1-tent.svg" },
  { id: "parts", name: "Parts", image: "/shop/products/hand-built-wheelset.svg" },
  { id: "tools", name: "Tools", image: "/shop/products/stell-18-multitool.svg" },
] as const;

export function CategoryTiles() {
  return (
    <ul className={styles["tiles"]}>
      {tiles.map((tile) => (
        <li key={tile.id}>
          <Link className={styles["tile"]} href={`/products?category=${tile.id}`}>
            <img
              alt=""
              className={styles["picture"]}
              height={640}
              loading="lazy"
              src={tile.image}
              width={640}
            />
            <span className={styles["name"]}>{tile.name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
