//! A self-contained HTML page that plays the motion of a world. It has the recording and a player in one file, opens
//! without a server, and loads nothing from the network: its content security policy forbids that.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use burgess_catalog::{Arena, Subject};
use serde_json::json;

use crate::page::share_template;
use crate::session::{ExportError, Library, Motion, MotionOptions, motion_of_subject};

/// Maximum size of a shared page, in bytes.
pub const MAX_SHARED_BYTES: usize = 5_000_000;

/// The place of the recording in the template.
const RECORDING_MARK: &str = "<!--recording-->";
/// The title in the template.
const TITLE_MARK: &str = "<title>Burgess</title>";

/// A page that plays the motion of a world.
#[derive(Debug)]
pub struct SharedPage {
    /// The page.
    pub html: String,
    /// The motion that it plays.
    pub motion: Motion,
}

/// Makes the page of a subject that the user of this process named.
pub fn share_subject(
    subject: &Subject,
    arena: &Arena,
    options: MotionOptions,
    library: &Library,
) -> Result<SharedPage, ExportError> {
    let max_bytes = max_clip_bytes()?;
    let (title, description, motion) = motion_of_subject(subject, arena, options, max_bytes, library)?;
    Ok(SharedPage { html: html(&title, &description, &motion.clip)?, motion })
}

/// Maximum size of the clip in a shared page, in bytes.
pub(crate) fn max_clip_bytes() -> Result<usize, ExportError> {
    // Base64 has four letters for three bytes. Titles and descriptions are short.
    Ok(MAX_SHARED_BYTES.saturating_sub(template()?.len() + 20_000) / 4 * 3)
}

fn template() -> Result<String, ExportError> {
    let missing =
        || ExportError("this program was built without the page; install Node.js, and build it again".to_string());
    share_template().ok_or_else(missing)
}

/// Makes the page of a clip.
pub(crate) fn html(title: &str, description: &str, clip: &[u8]) -> Result<String, ExportError> {
    let title: String = title.chars().take(200).collect();
    let description: String = description.chars().take(2000).collect();
    let template = template()?.replacen(TITLE_MARK, &format!("<title>{}</title>", escaped(&title)), 1);
    let about = json!({"title": title, "description": description}).to_string();
    // Inside a script element, only `<` could end it.
    let about = about.replace('<', "\\u003c");
    let (before, after) = template
        .split_once(RECORDING_MARK)
        .ok_or_else(|| ExportError("the page of this program has no place for a recording".to_string()))?;
    let data = STANDARD.encode(clip);
    let page = format!(
        "{before}<script type=\"application/json\" id=\"about\">{about}</script>\n\
         <script type=\"text/plain\" id=\"recording\">{data}</script>{after}"
    );
    if page.len() > MAX_SHARED_BYTES {
        return Err(ExportError(format!(
            "the page would have {:.1} MB, more than {:.0} MB: choose a shorter time",
            page.len() as f64 / 1e6,
            MAX_SHARED_BYTES as f64 / 1e6
        )));
    }
    Ok(page)
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_descriptions_are_escaped() {
        if template().is_err() {
            // A build without npm has no page to share.
            return;
        }
        let nasty = "</script><img src=x onerror=alert(1)>&\"'<!--recording--><title>Burgess</title>";
        let page = html(nasty, nasty, b"clip").unwrap();
        assert!(!page.contains("<img src=x"), "{page}");
        assert!(page.contains("<title>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;"));
        let about = page.split("id=\"about\">").nth(1).unwrap().split("</script>").next().unwrap();
        let about: serde_json::Value = serde_json::from_str(about).unwrap();
        assert_eq!(about["title"], nasty);
        let data = page.split("id=\"recording\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert_eq!(STANDARD.decode(data).unwrap(), b"clip");
    }

    #[test]
    fn pages_that_are_too_large_are_refused() {
        if let Ok(most) = max_clip_bytes() {
            assert!(html("a", "b", &vec![0; most]).is_ok());
            assert!(html("a", "b", &vec![0; most + 40_000]).unwrap_err().0.contains("5 MB"));
        }
    }
}
