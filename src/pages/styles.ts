/** Every style sheet of the pages, the general one first. */
import "#ui/style.css";
import "#identity/identity.css";
import "#loyalty/card/full-screen-code.css";
import "#loyalty/member-page/history.css";
import "#loyalty/moments.css";
import "#shell/frame.css";
