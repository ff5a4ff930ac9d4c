//! The messages that the relay sends, each to the queue of its stage.

use jiff::SignedDuration;

use crate::{
    service::Relaying,
    store::{
        ApplicationMessage, ArchiveMessage, DeliverMessage, ImportMessage, MailMessage, Message,
        MlsOutboundMessage, PeppolReportMessage, QueueError, RegisterMessage, ReportMessage,
        StageMessage, ValidateInboundMessage,
    },
    types::Mode,
};

macro_rules! outgoing {
    ($($kind:ident($message:ty) to $queue:ident,)+) => {
        /// A message for the queue of a stage.
        #[derive(Clone)]
        pub(super) enum Outgoing {
            $($kind($message),)+
        }

        impl Outgoing {
            /// The queue. Messages of one queue can share a batch.
            pub(super) fn queue(&self) -> (&'static str, Mode) {
                match self {
                    $(Outgoing::$kind(message) => (stringify!($kind), message.mode()),)+
                }
            }
        }

        /// Sends messages to their queues, each with its delay.
        pub(super) async fn send(
            relaying: &Relaying,
            messages: &[(Outgoing, SignedDuration)],
        ) -> Result<(), QueueError> {
            $(
                let of_queue = messages.iter().filter_map(|(message, delay)| match message {
                    Outgoing::$kind(message) => Some((message.clone(), *delay)),
                    _ => None,
                });
                let of_queue: Vec<_> = of_queue.collect();
                if !of_queue.is_empty() {
                    relaying.$queue.send_later(&of_queue).await?;
                }
            )+
            Ok(())
        }
    };
}

outgoing! {
    Convert(StageMessage) to convert,
    Dispatch(StageMessage) to dispatch,
    ValidateInbound(ValidateInboundMessage) to validate_inbound,
    MlsOutbound(MlsOutboundMessage) to mls_outbound,
    Report(ReportMessage) to report,
    PeppolReport(PeppolReportMessage) to peppol_reports,
    Register(RegisterMessage) to register,
    Application(ApplicationMessage) to application,
    Deliver(DeliverMessage) to deliver,
    Archive(ArchiveMessage) to archives,
    Import(ImportMessage) to imports,
    Mail(MailMessage) to mail,
}
