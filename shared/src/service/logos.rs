//! The logo of a business, which its invoices show.
//!
//! An uploaded picture is decoded and encoded again. So only pixels remain, within known bounds, and whatever else a
//! file may hide is gone.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits,
    codecs::png::{CompressionType, FilterType, PngEncoder},
    guess_format,
};
use jiff::SignedDuration;

use super::{Context, Reading, audit};
use crate::{
    access::{Action, AuditRecord, By, Deed, Trail},
    error::{Code, Failure},
    store::{LogoRecord, Payload, Rate, Taken},
    types::{Mode, OrganizationId, TaxpayerId},
};

/// Maximum bytes of an uploaded file.
pub const MAX_UPLOAD: usize = 1_000_000;
/// Maximum width and height of an uploaded picture. Decoded, it takes at most 32 MB.
pub const MAX_SIDE: u32 = 2_000;
/// Maximum bytes of a stored logo, which every HTML page of a document contains.
pub const MAX_BYTES: usize = 48_000;
/// Maximum changes of a logo.
pub const CHANGES: Rate = Rate { what: "LOGO", most: 20, window: SignedDuration::from_hours(1) };

/// Maximum bytes that decoding takes, with 16 bits for each of four channels.
const MAX_DECODED: u64 = 40_000_000;
/// Width and height of a stored logo: the first that fits [`MAX_BYTES`]. The first has 300 dots per inch on paper.
const SIZES: [(u32, u32); 4] = [(480, 160), (360, 120), (240, 80), (150, 50)];

/// Why a file cannot be a logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogoProblem {
    /// There is no file.
    #[error("there is no file")]
    Missing,
    /// The file has too many bytes.
    #[error("the file has more than {MAX_UPLOAD} bytes")]
    TooLarge,
    /// Its content is neither PNG nor JPEG, whatever its name.
    #[error("the file is neither PNG nor JPEG")]
    WrongType,
    /// The picture has too many pixels.
    #[error("the picture is wider or higher than {MAX_SIDE} pixels")]
    TooManyPixels,
    /// The picture is damaged.
    #[error("the picture cannot be read")]
    Unreadable,
}

/// The outcome of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogoSet {
    /// The logo is as requested.
    Done,
    /// The file cannot be a logo.
    Refused(LogoProblem),
    /// The logo was changed too often.
    TooOften(Taken),
}

/// The logo of a business as PNG; `None` if it has none, or its object was removed.
pub async fn current(
    reading: &Reading,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<Option<Vec<u8>>, Failure> {
    match reading.ctx.store.get_logo(mode, taxpayer_id).await? {
        Some(logo) => Ok(reading.bucket.find(&logo.png).await?),
        None => Ok(None),
    }
}

/// Who changes the logo of which business: the business itself, or a member of an organization that may send for it.
#[derive(Debug, Clone, Copy)]
pub struct LogoChange<'a> {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The business.
    pub taxpayer_id: &'a TaxpayerId,
    /// The actor.
    pub by: &'a By,
    /// The organization of the member.
    pub organization_id: Option<&'a OrganizationId>,
}

impl LogoChange<'_> {
    /// The entries in the trails of the business and of the organization.
    fn entries(&self, ctx: &Context) -> Vec<AuditRecord> {
        let LogoChange { mode, taxpayer_id, by, organization_id } = *self;
        let (action, subject) = (Action::TaxpayerUpdated, taxpayer_id.as_str());
        let deed = Deed { mode, by, action, subject, at: ctx.now() };
        let organization = organization_id.map(|id| Trail::Organization(id.clone()));
        let trails = [Some(Trail::Taxpayer(taxpayer_id.clone())), organization];
        trails.into_iter().flatten().map(|trail| audit::entry(ctx, &deed, trail)).collect()
    }
}

/// Sets the logo of a business from an uploaded file, in place of an earlier one.
pub async fn replace(
    reading: &Reading,
    change: LogoChange<'_>,
    file: Vec<u8>,
) -> Result<LogoSet, Failure> {
    let Reading { ctx, bucket, .. } = reading;
    let LogoChange { mode, taxpayer_id, .. } = change;
    let taken = ctx.store.take_one(mode, CHANGES, taxpayer_id.as_str(), ctx.now()).await?;
    if !taken.is_given {
        return Ok(LogoSet::TooOften(taken));
    }
    let png = match prepared(file).await? {
        Ok(png) => png,
        Err(problem) => return Ok(LogoSet::Refused(problem)),
    };
    let before = ctx.store.get_logo(mode, taxpayer_id).await?;
    let png = bucket.put_logo(mode, taxpayer_id, png).await?;
    let logo = LogoRecord { png, updated_at: ctx.now() };
    ctx.store.put_logo(mode, taxpayer_id, &logo, &change.entries(ctx)).await?;
    let replaced = before.filter(|before| before.png != logo.png);
    discard(reading, replaced.map(|before| before.png)).await;
    Ok(LogoSet::Done)
}

/// Removes the logo of a business, if it has one.
pub async fn remove(reading: &Reading, change: LogoChange<'_>) -> Result<(), Failure> {
    let LogoChange { mode, taxpayer_id, .. } = change;
    let store = &reading.ctx.store;
    let Some(before) = store.get_logo(mode, taxpayer_id).await? else { return Ok(()) };
    store.delete_logo(mode, taxpayer_id, &change.entries(&reading.ctx)).await?;
    discard(reading, Some(before.png)).await;
    Ok(())
}

/// Removes the object of a logo that no record names. One that stays is harmless.
async fn discard(reading: &Reading, png: Option<Payload>) {
    reading.bucket.discard(png.as_slice()).await;
}

/// [`prepare`] on a thread that may block.
async fn prepared(file: Vec<u8>) -> Result<Result<Vec<u8>, LogoProblem>, Failure> {
    tokio::task::spawn_blocking(move || prepare(&file)).await.map_err(|error| {
        Failure::new(Code::InternalError, "The picture could not be read.").because(error)
    })
}

/// A PNG of an uploaded PNG or JPEG, by its content, within the bounds of a logo.
fn prepare(file: &[u8]) -> Result<Vec<u8>, LogoProblem> {
    if file.is_empty() {
        return Err(LogoProblem::Missing);
    }
    if file.len() > MAX_UPLOAD {
        return Err(LogoProblem::TooLarge);
    }
    let picture = decode(file)?;
    for (width, height) in SIZES {
        let is_larger = picture.width() > width || picture.height() > height;
        let smaller = is_larger.then(|| picture.thumbnail(width, height));
        let png = encode(smaller.as_ref().unwrap_or(&picture))?;
        if png.len() <= MAX_BYTES {
            return Ok(png);
        }
    }
    // The smallest size has fewer bytes even without compression.
    Err(LogoProblem::Unreadable)
}

fn decode(file: &[u8]) -> Result<DynamicImage, LogoProblem> {
    let format = guess_format(file).ok();
    let format = format.filter(|it| matches!(it, ImageFormat::Png | ImageFormat::Jpeg));
    let format = format.ok_or(LogoProblem::WrongType)?;
    let problem = |error| match error {
        ImageError::Limits(_) => LogoProblem::TooManyPixels,
        _ => LogoProblem::Unreadable,
    };
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(problem)?;
    // Cameras write a picture as it was held, and say how to turn it.
    let orientation = decoder.orientation().map_err(problem)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(problem)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

fn encode(picture: &DynamicImage) -> Result<Vec<u8>, LogoProblem> {
    let picture = match picture.color().has_alpha() {
        true => DynamicImage::ImageRgba8(picture.to_rgba8()),
        false => DynamicImage::ImageRgb8(picture.to_rgb8()),
    };
    let mut png = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive);
    picture.write_with_encoder(encoder).map_err(|_| LogoProblem::Unreadable)?;
    Ok(png)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    fn written(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.into().write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// A picture that hardly compresses.
    fn noise(width: u32, height: u32) -> RgbImage {
        let mut seed = 7_u32;
        RgbImage::from_fn(width, height, |_, _| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgb([(seed >> 8) as u8, (seed >> 16) as u8, (seed >> 24) as u8])
        })
    }

    fn sides(png: &[u8]) -> (u32, u32) {
        let picture = image::load_from_memory_with_format(png, ImageFormat::Png).unwrap();
        (picture.width(), picture.height())
    }

    #[test]
    fn a_logo_is_a_png_within_its_bounds_whatever_was_uploaded() {
        let red = RgbaImage::from_pixel(1_200, 200, Rgba([200, 0, 0, 128]));
        let png = prepare(&written(red, ImageFormat::Png)).unwrap();
        assert_eq!(sides(&png), (480, 80));
        let jpeg = written(noise(600, 600), ImageFormat::Jpeg);
        let png = prepare(&jpeg).unwrap();
        assert!(png.len() <= MAX_BYTES && png.starts_with(b"\x89PNG"), "{}", png.len());
        // A small picture keeps its size, and its transparency.
        let small = RgbaImage::from_pixel(40, 20, Rgba([0, 0, 200, 0]));
        let png = prepare(&written(small, ImageFormat::Png)).unwrap();
        assert_eq!(sides(&png), (40, 20));
        assert!(image::load_from_memory(&png).unwrap().color().has_alpha());
    }

    /// A picture of noise is the largest; it becomes smaller until it fits.
    #[test]
    fn the_largest_picture_fits_too() {
        for (width, height) in [(480, 160), (50, 50), (1, 2_000), (2_000, 1)] {
            let file = written(noise(width, height), ImageFormat::Png);
            assert!(file.len() <= MAX_UPLOAD);
            assert!(prepare(&file).unwrap().len() <= MAX_BYTES, "{width}x{height}");
        }
    }

    #[test]
    fn nothing_but_pixels_remains_of_a_file() {
        let mut file = written(noise(30, 30), ImageFormat::Png);
        file.extend(b"<script>alert(1)</script>");
        let png = prepare(&file).unwrap();
        assert!(!png.windows(6).any(|it| it == b"script"));
    }

    #[test]
    fn a_file_that_is_no_logo_is_refused_with_its_reason() {
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec();
        let png = written(noise(30, 30), ImageFormat::Png);
        let wide = written(RgbImage::new(MAX_SIDE + 1, 1), ImageFormat::Png);
        // The header of a PNG of 2^31 - 1 pixels a side: a decompression bomb.
        let mut bomb = png.clone();
        bomb[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
        for (file, problem) in [
            (Vec::new(), LogoProblem::Missing),
            (vec![0; MAX_UPLOAD + 1], LogoProblem::TooLarge),
            (svg, LogoProblem::WrongType),
            (b"GIF89a\x01\x00\x01\x00".to_vec(), LogoProblem::WrongType),
            (b"%PDF-1.7".to_vec(), LogoProblem::WrongType),
            (png[..png.len() / 2].to_vec(), LogoProblem::Unreadable),
            (wide, LogoProblem::TooManyPixels),
        ] {
            assert_eq!(prepare(&file), Err(problem), "{problem}");
        }
        assert!(prepare(&bomb).is_err());
    }
}
