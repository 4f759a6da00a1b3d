import { useLingui } from "@lingui/react/macro";

interface Person {
  readonly email: string | null;
  readonly first_name: string | null;
  readonly is_admin: boolean;
}

/** The name of a person in a ticket: their first name, or else their e-mail. Staff are 'Admin'. */
export function useNameOf(): (person: Person) => string {
  const { t } = useLingui();
  return ({ is_admin: isAdmin, first_name: name, email }) =>
    isAdmin ? t`Admin` : (name ?? email ?? t`Deleted account`);
}
