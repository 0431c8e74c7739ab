/** A shop as schema.org data. */
import { type Store, weekdays } from "#lib/shop/stores.ts";
import { dayNames } from "./opening-line.tsx";

export function storeData(store: Store, origin: string): Record<string, unknown> {
  const { street, town, postcode, country } = store.address;
  return {
    "@type": "BikeStore",
    "@id": `${origin}/stores#${store.id}`,
    name: `Tarn & Tread ${store.name}`,
    url: `${origin}/stores#${store.id}`,
    email: store.email,
    ...(store.phone === null ? {} : { telephone: store.phone }),
    address: {
      "@type": "PostalAddress",
      streetAddress: street,
      addressLocality: town,
      postalCode: postcode,
      addressCountry: country,
    },
    geo: { "@type": "GeoCoordinates", ...store.geo },
    openingHoursSpecification: weekdays.flatMap((day) => {
      const hours = store.hours[day];
      if (hours === null) return [];
      const [opens, closes] = hours;
      return [{ "@type": "OpeningHoursSpecification", dayOfWeek: dayNames[day], opens, closes }];
    }),
  };
}
