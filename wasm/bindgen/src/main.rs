//! Writes the JavaScript of a WebAssembly module: `fewest-bindgen MODULE FOLDER`.

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = &arguments[..] else {
        return Err("expected two arguments: the module and the folder of the results".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).web(true)?.omit_default_module_path(false).typescript(false);
    // Names of functions are a fifth of the module.
    bindgen.remove_name_section(true).remove_producers_section(true);
    Ok(bindgen.generate(folder)?)
}
