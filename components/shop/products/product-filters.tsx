"use client";

import { useRouter } from "next/navigation";
import { useId } from "react";
import { Icon } from "#components/ui/icon.tsx";
import styles from "./product-filters.module.css";

export interface FilterChoices {
  categories: readonly { id: string; name: string }[];
  brands: readonly string[];
  colours: readonly string[];
}

/** The filter from the URL. */
export interface ChosenFilters {
  q: string;
  category: string;
  brand: string;
  colour: string;
  stock: boolean;
  sale: boolean;
  sort: string;
}

const orders = [
  { id: "price-up", name: "Price, low to high" },
  { id: "price-down", name: "Price, high to low" },
  { id: "name", name: "Name" },
];

/** A plain GET form, which works without scripts. With them, changes outside the search field submit it. */
export function ProductFilters({ choices, chosen }: { choices: FilterChoices; chosen: ChosenFilters }) {
  const id = useId();
  const router = useRouter();

  const apply = (form: HTMLFormElement) => router.push(addressOf(form), { scroll: false });

  return (
    <form
      action="/products"
      className={styles["form"]}
      // Remounts the fields: an uncontrolled field would keep its text after "Clear" has changed the URL.
      key={JSON.stringify(chosen)}
      onChange={(event) => {
        if (event.target instanceof HTMLInputElement && event.target.type === "search") return;
        apply(event.currentTarget);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        apply(event.currentTarget);
      }}
    >
      <search className={styles["search"]}>
        <label className={styles["label"]} htmlFor={id}>
          Search the shop
        </label>
        <div className={styles["searchRow"]}>
          <input
            className={styles["input"]}
            defaultValue={chosen.q}
            id={id}
            maxLength={80}
            name="q"
            type="search"
          />
          <button aria-label="Search" className={styles["go"]} type="submit">
            <Icon name="search" />
          </button>
        </div>
      </search>
      <Choice chosen={chosen.category} label="Category" name="category" options={choices.categories} />
      <Choice chosen={chosen.brand} label="Brand" name="brand" options={choices.brands.map(named)} />
      <Choice chosen={chosen.colour} label="Colour" name="colour" options={choices.colours.map(named)} />
      <fieldset className={styles["checks"]}>
        <legend className={styles["label"]}>Only show</legend>
        <label className={styles["check"]}>
          <input defaultChecked={chosen.stock} name="stock" type="checkbox" value="1" /> In stock
        </label>
        <label className={styles["check"]}>
          <input defaultChecked={chosen.sale} name="sale" type="checkbox" value="1" /> On sale
        </label>
      </fieldset>
      <Choice chosen={chosen.sort} label="Sort by" name="sort" none="Our picks first" options={orders} />
      <noscript>
        <button className={styles["apply"]} type="submit">
          Apply
        </button>
      </noscript>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  chosen: string;
  /** The label of the empty choice. */
  none?: string;
  options: readonly { id: string; name: string }[];
}

function Choice({ label, name, chosen, none = "All", options }: ChoiceProps) {
  const id = useId();
  return (
    <div>
      <label className={styles["label"]} htmlFor={id}>
        {label}
      </label>
      <select className={styles["input"]} defaultValue={chosen} id={id} name={name}>
        <option value="">{none}</option>
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
    </div>
  );
}

function addressOf(form: HTMLFormElement): string {
  const given = [...new FormData(form)].filter(([, value]) => typeof value === "string" && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `/products?${query}` : "/products";
}

function named(word: string): { id: string; name: string } {
  return { id: word, name: word.charAt(0).toUpperCase() + word.slice(1) };
}
