import { useParams, Navigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { paths } from "#src/lib/paths.ts";
import { NotFoundInShell } from "#src/ui/error-pages.tsx";
import { FullScreenLoader } from "#src/ui/loader.tsx";
import { sectionsOf } from "./sections.ts";

/** The page of the section that the address names. */
export function StaffPage() {
  const { section: name, id } = useParams({ from: paths.staffPage });
  const sections = sectionsOf(useCurrentUser());
  const [first] = sections;
  if (name === undefined && first !== undefined) {
    return <Navigate to={paths.staffPage} params={{ section: first.name }} replace />;
  }
  const section = sections.find((each) => each.name === name);
  if (section === undefined) return <NotFoundInShell />;
  const Page = section.page;
  return (
    <Suspense fallback={<FullScreenLoader />}>
      <Page key={`${section.name} ${id}`} id={id} />
    </Suspense>
  );
}
