import { termsPage } from "./legal/terms-page.tsx";
import { start } from "./start.tsx";

start(termsPage);
