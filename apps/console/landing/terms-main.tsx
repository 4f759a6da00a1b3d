import { TermsPage } from "./legal/terms-page.tsx";
import { start } from "./start.tsx";

start(<TermsPage />);
