//! Cosets against the definition, in enumerated groups.

use super::*;

/// Two elements have the same coset exactly if they differ by an element of the subgroup. Products
/// are those of the elements.
#[test]
fn cosets_are_those_of_the_subgroup() {
    let mut proper = 0;
    for (name, points, generators) in small() {
        let group = enumerate(points, &generators);
        for part in 0..generators.len() {
            let some = &generators[..part];
            let chain = StabilizerChain::new(points, some, &[]).expect("a chain");
            let subgroup = enumerate(points, some);
            let most = u32::try_from(group.len() / subgroup.len()).expect("few cosets");
            let graph = |most| CosetGraph::new_until(&chain, &generators, most, &|| false);
            assert!(most == 1 || graph(most - 1).expect("no error").is_none(), "{name}");
            let graph = graph(most).expect("no error").expect("as many cosets");
            assert_eq!(graph.cosets(), most, "{name}");
            let mut members: BTreeMap<u32, Vec<&Permutation>> = BTreeMap::new();
            for element in &group {
                let coset = graph.coset(element).expect("an element of the group");
                members.entry(coset).or_default().push(element);
                for (number, generator) in generators.iter().enumerate() {
                    let product = graph.coset(&element.then(generator));
                    assert_eq!(product, Some(graph.product(coset, number)), "{name}");
                }
            }
            assert_eq!(members.len(), most as usize, "{name}");
            for all in members.values() {
                assert_eq!(all.len(), subgroup.len(), "{name}");
                let back = all[0].inverse();
                assert!(all.iter().all(|element| subgroup.contains(&element.then(&back))));
            }
            assert!(members[&0].iter().all(|element| subgroup.contains(element)));
            proper += u32::from(most > 1);
        }
    }
    assert!(proper > 10, "{proper}");
}

/// Powers are products of earlier generators, so their products come without canonical elements.
#[test]
fn powers_of_generators_have_their_products() {
    let cycle = long_cycle(7, 7);
    let swap = cycles(7, &[&[1, 2]]);
    let powers = |of: &Permutation| {
        std::iter::successors(Some(of.clone()), |power| Some(power.then(of))).take(6).collect()
    };
    let mut generators: Vec<Permutation> = powers(&cycle);
    generators.insert(3, swap.clone());
    let fixing = StabilizerChain::new(7, &[swap], &[]).expect("a chain");
    let graph = CosetGraph::new_until(&fixing, &generators, 2520, &|| false);
    let graph = graph.expect("no error").expect("5,040 elements");
    let mut random = Stream::new(3);
    for _ in 0..200 {
        let mut images: Vec<u16> = (0..7).collect();
        random.shuffle(&mut images);
        let element = Permutation::new(images).expect("a permutation");
        let coset = graph.coset(&element).expect("all permutations of seven points");
        for (number, generator) in generators.iter().enumerate() {
            let product = graph.coset(&element.then(generator));
            assert_eq!(product, Some(graph.product(coset, number)));
        }
    }
}

#[test]
fn cosets_can_be_stopped() {
    let chain = StabilizerChain::new(12, &[], &[]).expect("a chain");
    let stopped = CosetGraph::new_until(&chain, &mathieu(12), u32::MAX, &|| true);
    assert_eq!(stopped.err(), Some(GroupError::Stopped));
    let other = CosetGraph::new_until(&chain, &mathieu(11), u32::MAX, &|| false);
    assert!(matches!(other, Err(GroupError::Generator { .. })));
}
