/** Where players may enter. A location can be chosen once an edge is enrolled there. */
export const locations = [
  { name: "local", display_name: "This machine", flag_url: null },
  { name: "frankfurt", display_name: "Germany", flag_url: "/flags/de.svg" },
  { name: "stockholm", display_name: "Sweden", flag_url: "/flags/se.svg" },
  { name: "kyiv", display_name: "Ukraine", flag_url: "/flags/ua.svg" },
  { name: "almaty", display_name: "Kazakhstan", flag_url: "/flags/kz.svg" },
] as const;
