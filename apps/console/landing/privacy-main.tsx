import { PrivacyPage } from "./legal/privacy-page.tsx";
import { start } from "./start.tsx";

start(<PrivacyPage />);
