//! `access-point restore`: puts retired items back into the table.

use super::{Error, block_on, common::context_with_bucket, print};
use crate::{
    service::{Context, retirement},
    store::StoreError,
    types::{Mode, TaxpayerId},
};

/// Put retired items back into the table
///
/// Reports, transmissions and statuses of closed Live documents leave the table for the bucket after 120 days. This command
/// puts them back, for an earlier release that looks for them in the table alone. Deploy with Retirement=disabled first.
/// Their objects stay in the bucket. Needs the environment of the functions (TABLE_NAME, BUCKET_NAME), and access to table
/// and bucket.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Only the documents of this taxpayer, txpay_…; without it, those of all taxpayers
    #[arg(long, value_name = "TAXPAYER")]
    taxpayer: Option<TaxpayerId>,
}

/// Restores and prints.
pub(super) fn run(Args { taxpayer }: Args) -> Result<(), Error> {
    block_on(async {
        let context = context_with_bucket().await?;
        let store = |why: StoreError| Error::failed("table and bucket", why);
        let restored = restore(&context, taxpayer).await.map_err(store)?;
        print(format!("{restored} items restored\n").as_bytes())
    })
}

async fn restore(context: &Context, taxpayer: Option<TaxpayerId>) -> Result<usize, StoreError> {
    let taxpayers = match taxpayer {
        Some(taxpayer_id) => vec![taxpayer_id],
        None => {
            let all = context.store.scan_taxpayers(Mode::Live).await?;
            all.into_iter().map(|taxpayer| taxpayer.taxpayer_id).collect()
        }
    };
    let mut restored = 0;
    for taxpayer_id in &taxpayers {
        restored += retirement::restore(context, taxpayer_id).await?;
    }
    Ok(restored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::read_line;

    #[test]
    fn one_taxpayer_or_all_are_named() {
        let read = |arguments: &[&str]| read_line(arguments).map(|Args { taxpayer }| taxpayer);
        assert_eq!(read(&[]), Ok(None));
        let id: TaxpayerId = "txpay_1".parse().unwrap();
        assert_eq!(read(&["--taxpayer", "txpay_1"]), Ok(Some(id)));
        assert!(read(&["--taxpayer", "doc_1"]).is_err());
    }
}
