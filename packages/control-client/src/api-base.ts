/** PALISADE_API_URL with its path and without a final slash, so that routes can be appended. */
export function apiBase(apiUrl: string): string {
  return apiUrl.replace(/\/+$/, "");
}
