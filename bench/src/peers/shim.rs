//! Loading of the C shims of the peers.

/// Defines `Library`, the loaded shim, and `Functions`, its functions: `name: Type = c"symbol"`. `Type` must be the type
/// of the function in the shim.
#[macro_export]
macro_rules! shim {
    ($($name:ident: $type:ty = $symbol:literal),+ $(,)?) => {
        /// The loaded shim.
        pub struct Library {
            functions: std::sync::Arc<Functions>,
        }

        struct Functions {
            $($name: $type,)+
            // Keeps the library loaded while the function pointers are in use.
            _library: libloading::Library,
        }

        impl Library {
            /// Loads the shim that `bench/run` compiled.
            pub fn open(path: Option<&std::path::Path>) -> anyhow::Result<Self> {
                use anyhow::Context;
                let path = path.context("the shim has not been built; bench/run builds it")?;
                // Safety: the shim is our own file, and loading it runs no initialization code.
                let library =
                    unsafe { libloading::Library::new(path) }.with_context(|| path.display().to_string())?;
                $(
                    let symbol = $symbol;
                    // Safety: the function has the type of the field.
                    let $name: $type = unsafe { *library.get(symbol)? };
                )+
                let functions = Functions { $($name,)+ _library: library };
                Ok(Self { functions: std::sync::Arc::new(functions) })
            }
        }
    };
}
