import { privacyPage } from "./legal/privacy-page.tsx";
import { start } from "./start.tsx";

start(privacyPage);
