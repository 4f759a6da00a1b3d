const key = "setup_draft";

export interface SetupValues extends Record<string, unknown> {
  pricing_plan_id: string;
  server_name: string;
  real_ip: string;
  real_port: number | "";
  location: string;
  domain: string;
}

export const emptySetup: SetupValues = {
  pricing_plan_id: "",
  server_name: "",
  real_ip: "",
  real_port: 25_565,
  location: "",
  domain: "",
};

/** What was typed, for a reload or an ended session in between; of this tab only. */
export const setupDraft = {
  read(): SetupValues {
    return parseDraft(sessionStorage.getItem(key));
  },
  store(values: SetupValues): void {
    sessionStorage.setItem(key, JSON.stringify(values));
  },
  clear(): void {
    sessionStorage.removeItem(key);
  },
};

/** Takes over what fits; a draft of an older version of the console must not break the form. */
export function parseDraft(stored: string | null): SetupValues {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  let draft: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(stored ?? "null");
    if (parsed instanceof Object) draft = Object.fromEntries(Object.entries(parsed));
  } catch {
    return emptySetup;
  }
  const port = draft["real_port"];
  return {
    pricing_plan_id: text(draft["pricing_plan_id"]),
    server_name: text(draft["server_name"]),
    real_ip: text(draft["real_ip"]),
    real_port: typeof port === "number" ? port : emptySetup.real_port,
    location: text(draft["location"]),
    domain: text(draft["domain"]),
  };
}
