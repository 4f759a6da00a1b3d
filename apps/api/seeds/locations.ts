interface LocationSeed {
  readonly name: string;
  readonly display_name: string;
  readonly flag_url: string | null;
  readonly translations: { readonly ru: { readonly display_name: string } };
}

/** Locations where players enter. Owners can choose one once an edge is enrolled there. */
export const locations: readonly LocationSeed[] = [
  {
    name: "local",
    display_name: "This machine",
    flag_url: null,
    translations: { ru: { display_name: "Эта машина" } },
  },
  {
    name: "frankfurt",
    display_name: "Germany",
    flag_url: "/flags/de.svg",
    translations: { ru: { display_name: "Германия" } },
  },
  {
    name: "stockholm",
    display_name: "Sweden",
    flag_url: "/flags/se.svg",
    translations: { ru: { display_name: "Швеция" } },
  },
  {
    name: "kyiv",
    display_name: "Ukraine",
    flag_url: "/flags/ua.svg",
    translations: { ru: { display_name: "Украина" } },
  },
  {
    name: "almaty",
    display_name: "Kazakhstan",
    flag_url: "/flags/kz.svg",
    translations: { ru: { display_name: "Казахстан" } },
  },
];
