/** PALISADE_API_URL as routes are appended to it: with its path, if any, and without a final slash. */
export function apiBase(apiUrl: string): string {
  return apiUrl.replace(/\/+$/, "");
}
